import {afterAll} from 'vitest'
import {endFile} from './afterFile.js'

// vitest runs this before every test file, while its imports stay.
afterAll(endFile)
