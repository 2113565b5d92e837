import {describe} from 'vitest'
import {installPackage, testInstalled} from './installedPackage.js'

const [major = ''] = process.versions.node.split('.')

describe('the installed package on the Node that runs the tests', () => {
  testInstalled(installPackage(), Number(major))
})
