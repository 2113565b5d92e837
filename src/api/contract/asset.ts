import * as z from 'zod/mini'
import {
  catalogView,
  containerMeta,
  isPartial,
  listing,
  methodHeaders,
  platforms,
  resourceLink,
  resourceMeta,
} from './assetShapes.js'
import {assetOperation, containerOperation, resourceOperation, runAgain} from './defineOperation.js'
import {id, maybeString, nothing, optionalString, string} from './shapes.js'

export const listContainer = containerOperation({
  id: 'asset.list',
  purpose: 'List the contents of a container',
  action: 'list container {container}',
  request: 'GET /{container}/',
  effect: 'read',
  query: z.strictObject({type: z.optional(z.literal('all'))}),
  successes: [200],
  responseFormat: 'json',
  reply: listing,
  saysMore: isPartial,
})

export const info = containerOperation({
  id: 'asset.info',
  purpose: 'Read the metadata of a container',
  action: 'read container {container}',
  request: 'GET /{container}/',
  effect: 'read',
  query: z.strictObject({type: z.literal('meta')}),
  successes: [200],
  responseFormat: 'json',
  reply: containerMeta,
})

export const addContainer = containerOperation({
  id: 'asset.create',
  purpose: 'Create a container',
  action: 'create container {container}',
  request: 'POST /{container}/',
  effect: 'create',
  body: z.strictObject({type: id, name: id, description: string}),
  successes: [201],
  responseFormat: 'json',
  reply: z.looseObject({uuid: maybeString, uri: maybeString}),
  change: {
    mayHave: 'container {container} may have been created',
    journal: ['name'],
    ifUnknown: {sentence: 'before you create it again', command: ['asset info', '{container}']},
    isShown: false,
  },
})

export const describe = containerOperation({
  id: 'asset.describe',
  purpose: 'Change the description of a container',
  action: 'describe container {container}',
  request: 'PATCH /{container}/',
  effect: 'state',
  body: z.strictObject({description: string}),
  successes: [204],
  responseFormat: 'nothing',
  reply: nothing,
  change: {
    mayHave: 'the description of container {container} may have been changed',
    ifUnknown: {command: ['asset info', '{container}']},
    journal: [],
    isShown: true,
  },
})

export const options = containerOperation({
  id: 'asset.options',
  purpose: 'List the methods that a container allows',
  action: 'ask container {container} for its operations',
  // The document writes OPTION; the method of HTTP is OPTIONS.
  request: 'OPTIONS /{container}/',
  effect: 'read',
  responseFormat: 'headers',
  reply: methodHeaders,
})

export const head = containerOperation({
  id: 'asset.head',
  purpose: 'Ask for the meta information of a container',
  action: 'ask container {container} for its meta information',
  request: 'HEAD /{container}/',
  effect: 'read',
  responseFormat: 'headers',
  reply: methodHeaders,
})

export const upload = assetOperation({
  id: 'asset.upload',
  purpose: 'Begin an upload',
  action: 'begin an upload in container {container}',
  source: 'asset, Create upload headers',
  // Without the slash at the end: with it, a container is created.
  request: 'POST /{container}',
  effect: 'create',
  headers: z.strictObject({
    Original_File_Name: id,
    'Upload-Length': string,
    Platform: z.enum(platforms),
    Description: id,
    Asset_Resource_File_Id: z.optional(id),
  }),
  responseFormat: 'headers',
  reply: z.looseObject({location: id}),
  change: {
    mayHave: 'an upload in container {container} may have been started',
    ifUnknown: {sentence: 'before you upload it again', command: ['asset list', '{container}']},
    journal: [],
    isShown: false,
  },
})

export const patch = assetOperation({
  id: 'asset.patch',
  purpose: 'Continue an upload with the next bytes',
  action: 'continue upload {uuid} in container {container}',
  source: 'asset, Continue upload headers',
  request: 'PATCH /{container}/{uuid}',
  effect: 'state',
  path: z.strictObject({container: id, uuid: id}),
  headers: z.strictObject({
    'Content-Type': z.literal('application/offset+octet-stream'),
    'Upload-Offset': string,
    'Content-Length': string,
    'Upload-Checksum': optionalString,
  }),
  responseFormat: 'headers',
  reply: z.looseObject({'upload-offset': string, 'tus-resumable': maybeString}),
  statuses: {
    409: {
      condition: 'wrong offset',
      why: 'the upload is at another offset than the one that was sent',
      try: 'run the same command again to resume',
    },
  },
  change: {
    mayHave: 'bytes of upload {uuid} may have been stored',
    ifUnknown: `${runAgain}: it resumes the upload where it stopped`,
    journal: [],
    isShown: false,
  },
})

export const getResource = resourceOperation({
  id: 'asset.get',
  purpose: 'Read the link of a resource',
  action: 'read resource {container}/{common_resource_uuid}',
  request: 'GET /{container}/{common_resource_uuid}',
  path: z.strictObject({container: id, common_resource_uuid: id}),
  reply: resourceLink,
})

/**
 * The offset of an upload, by the protocol alone (tus 1.0.0, HEAD; asset, Versioning): the document has no such
 * operation, so it is not among `operations`.
 */
export const uploadOffset = assetOperation({
  id: 'tus.head',
  purpose: 'Ask how much of an upload the service has',
  action: 'ask how much of {container}/{common_resource_uuid} is there',
  source: 'asset, Versioning',
  request: 'HEAD /{container}/{common_resource_uuid}',
  effect: 'read',
  path: z.strictObject({container: id, common_resource_uuid: id}),
  headers: z.strictObject({'Tus-Resumable': string}),
  responseFormat: 'headers',
  reply: z.looseObject({'upload-offset': maybeString, 'upload-length': maybeString}),
})

export const meta = resourceOperation({
  id: 'asset.meta',
  purpose: 'Read the metadata of a resource',
  action: 'read the metadata of {container}/{common_resource_uuid}',
  request: 'GET /{container}/{common_resource_uuid}',
  path: z.strictObject({container: id, common_resource_uuid: id}),
  query: z.strictObject({type: z.literal('meta')}),
  reply: resourceMeta,
})

export const catalog = resourceOperation({
  id: 'asset.catalog',
  purpose: 'Read the catalog view of a bundle',
  action: 'read the catalog of {container}/{common_uuid}',
  request: 'GET /{container}/{common_uuid}',
  path: z.strictObject({container: id, common_uuid: id}),
  query: z.strictObject({type: z.literal('catalog')}),
  reply: catalogView,
})

export const bytes = resourceOperation({
  id: 'asset.bytes',
  purpose: 'Follow the link form of an asset listing',
  action: 'follow {container}/{uuid}?type=asset',
  request: 'GET /{container}/{uuid}',
  path: z.strictObject({container: id, uuid: id}),
  query: z.strictObject({type: z.literal('asset')}),
  // Its answer is not shown: JSON is read as JSON, anything else is the bytes.
  reply: z.unknown(),
})
