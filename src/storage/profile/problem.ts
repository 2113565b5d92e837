import {Failure} from '../../failure.js'

/** The profile file is there and is not what it must be; `openProfileFile` puts it right. No text of it holds content of the file. */
export class DamagedProfile extends Failure {
  override readonly name = 'DamagedProfile'

  constructor(
    path: string,
    /** In words that follow "it". */
    readonly damage: string,
  ) {
    super({exit: 'configuration', message: `the profile file ${path} is damaged`, try: 'roomctl config list'})
  }
}
