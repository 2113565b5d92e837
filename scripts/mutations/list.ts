import {fields} from './fields.js'
import {files} from './files.js'
import type {Mutation} from './mutation.js'
import {network} from './network.js'
import {safety} from './safety.js'
import {screen} from './screen.js'

/** Every mechanism that keeps a user safe, made to fail in turn. */
export const mutations: readonly Mutation[] = [...network, ...safety, ...files, ...screen, ...fields]
