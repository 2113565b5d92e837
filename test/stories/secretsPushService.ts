import type http from 'node:http'
import path from 'node:path'
import {repeated, type Told} from '../canary/codings.js'
import {sendJson} from './service.js'

/** A refusal that echoes the request. */
export function refuse(response: http.ServerResponse, told: Told): void {
  sendJson(response, {message: repeated('raw', told), request: repeated('raw', told)}, 422)
}

const statuses: Readonly<Record<string, number>> = {tokens: 201, messages: 202}

/** A service that accepts everything, and shows the registered credential. */
export function taking(): (response: http.ServerResponse, told: Told) => void {
  let shown: object = {package_name: 'com.example.rooms'}
  const done = {transactions: [{recipient_id: 'ann', transaction_id: 't-1', status: 'SUCCESS'}]}
  return (response, told) => {
    const {pathname} = new URL(told.url, 'http://service')
    if (told.method === 'GET') return sendJson(response, pathname.endsWith('/config') ? shown : [])
    shown = {...shown, ...registered(told)}
    sendJson(response, done, statuses[path.basename(pathname)] ?? 200)
  }
}

/** What the configuration shows after a request, if it was one that registers. */
function registered({url, body}: Told): object {
  const {pathname, searchParams} = new URL(url, 'http://service')
  if (pathname.endsWith('/android')) return JSON.parse(body)
  const certificate = {bundle_id: searchParams.get('bundle_id'), ios_apns_type: 'CERTIFICATE'}
  return pathname.endsWith('/certificate') ? {...certificate, certificate_expiry_date: '2049-12-31'} : {}
}

/** Reads what a service was sent, to its end. */
export function whole(response: http.ServerResponse, then: (told: Told) => void): void {
  const {method = '', url = '', headers} = response.req
  const chunks: Buffer[] = []
  response.req
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .once('end', () => {
      const {authorization = ''} = headers
      then({method, url, authorization, body: Buffer.concat(chunks).toString('utf8')})
    })
}
