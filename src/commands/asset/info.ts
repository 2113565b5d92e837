import {info} from '../../api/contract/asset.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {cardFlags, commandExamples, switchFlag} from '../../cli/flags/flags.js'
import {presentOne} from '../../cli/output/present.js'
import {containerMethods} from '../../features/asset/containers.js'
import {containerArg, readContainerArg} from '../../features/asset/paths.js'
import {containerCard, methodsCard} from '../../view/asset/cards.js'

export default class AssetInfo extends RoomctlCommand {
  static override summary = 'Show the metadata of a container, or the methods it allows'
  static override rows = ({methods}: {readonly methods?: boolean}) => (methods ? methodsCard : containerCard)
  static override description =
    `Shows its name, uuid, type, parents, description and owners (asset, Container). asset list shows what it holds. --methods sends
OPTIONS and HEAD and shows the headers Allow and Link of either: the document contradicts itself on which has them.`
  static override args = {container: containerArg}
  static override flags = {
    ...cardFlags,
    methods: switchFlag('show the allowed methods and the address of the metadata'),
  }
  static override examples = commandExamples({
    'A container as a card': 'roomctl asset info games/puzzle',
    'The methods that it allows': 'roomctl asset info games/puzzle --methods',
    'Its uuid, for a script': 'roomctl asset info games/puzzle -q',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(AssetInfo)
    const container = await readContainerArg(session, args.container)
    if (flags.methods) return presentOne(session, await containerMethods(session, container), methodsCard)
    const read = session.api.call(info, {path: {container}, query: {type: 'meta'}})
    await presentOne(session, await read, containerCard)
  }
}
