import {RoomctlCommand} from '../cli/app/baseCommand.js'
import {commandExamples, requiredArg, switchFlag} from '../cli/flags/flags.js'
import {runFlags} from '../features/bulk/flags.js'
import {applyPlan} from '../features/room/applyPlan.js'
import {changeResults} from '../view/room/changes.js'

export default class Apply extends RoomctlCommand {
  static override changes = true
  static override summary = 'Apply a plan written by --plan-out'
  static override rows = changeResults
  static override description =
    `Reads every room of the plan again and skips, with the reason, rooms that are gone or have changed: state, host (if the plan
acts as host), name (before a deletion). The others are confirmed and changed as by the command that wrote the plan. A plan
for another service is refused, and so is a plan that was edited after it was written, unless --accept-edits is given.`
  static override args = {plan: requiredArg('PLAN', 'file written by --plan-out')}
  static override flags = {
    ...runFlags,
    'accept-edits': switchFlag('apply a plan that was edited after it was written'),
  }
  static override examples = commandExamples({
    'Write a plan, then apply it':
      "roomctl room end --where 'name~^test' --plan-out plan.json && roomctl apply plan.json --yes",
    'See what would be sent, and what would be refused':
      'roomctl room delete r-townhall --plan-out plan.json && roomctl apply plan.json --dry-run',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Apply)
    await applyPlan(await this.open(flags), flags, args.plan, (as) => this.open({...flags, as}))
  }
}
