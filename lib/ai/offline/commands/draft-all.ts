import { type Plan, together } from '../plan.ts'
import { plainName } from '../questions/plain-text.ts'
import { type Reply, say } from '../reply.ts'
import type { Command, Created, Outcome } from './command.ts'

/** Drafts what can be drafted and says what became of each command. */
export function* draftAll(commands: readonly Command[]): Plan<Reply> {
  const created: Created[] = []
  const plans = commands.map((command) => {
    const earlier = [...created]
    created.push(...command.creates(earlier))
    return command.draft(earlier)
  })
  const outcomes = (yield* together(plans)).flat()
  return report(outcomes)
}

function report(outcomes: Outcome[]): Reply {
  const drafts = outcomes.flatMap((outcome) => ('draft' in outcome ? [outcome.draft] : []))
  const problems = outcomes.flatMap((outcome) => ('problem' in outcome ? [outcome.problem] : []))
  const unique = [...new Map(drafts.map((draft) => [draft.summary + draft.id, draft])).values()]
  const opening =
    unique.length > 1
      ? `I drafted ${unique.length} changes, which belong together:`
      : 'I drafted this change:'
  const list = unique.map(({ summary }) => `- ${plainSummary(summary)}`).join('\n')
  const them = unique.length > 1 ? 'them' : 'it'

  return say(
    ...(unique.length > 0 ? [opening, list] : []),
    ...new Set(problems),
    unique.length > 0 ? `Nothing has changed yet. Approve or reject ${them} here or in the Inbox.` : '',
  )
}

/** The server's own line, kept from becoming Markdown. */
const plainSummary = (summary: string) => plainName(summary.replaceAll('`', '’')) || 'A change'
