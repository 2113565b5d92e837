import type {Access} from '../../api/client/request/request.js'
import {upload} from '../../api/contract/asset.js'
import {appendPath} from '../../api/http/network/address.js'
import {fillRoute} from '../../api/http/route/route.js'

/** Where uploads to the containers of a run are begun: worked out once for each of them. */
export class Endpoints {
  readonly #access: Access
  readonly #known = new Map<string, string>()

  constructor(access: Access) {
    this.#access = access
  }

  /** The absolute address for a container, without a slash at its end. */
  of(container: string): string {
    const known = this.#known.get(container)
    if (known !== undefined) return known
    const {base} = this.#access
    const address = appendPath(base, fillRoute(this.#access.route(upload).path, {container}, upload.deep)).href
    this.#known.set(container, address)
    return address
  }
}
