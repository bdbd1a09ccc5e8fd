// What kind of request it is. Only the owner's own words are looked at here, never what a tool returned.

import { draftAll } from './commands/draft-all.ts'
import { readCommands } from './commands/read-commands.ts'
import { needsModel } from './needs-model.ts'
import type { Plan } from './plan.ts'
import { answerQuestion } from './questions/answer-question.ts'
import { listThings, readListing } from './questions/listing.ts'
import { overview, readOverview } from './questions/overview.ts'
import { type Reply, say } from './reply.ts'
import { smallTalk, withoutGreeting } from './small-talk.ts'

/** The reply to what the owner said; `today` is what "tomorrow" is counted from. */
export function* respond(asked: string, today: Date): Plan<Reply> {
  const text = withoutGreeting(asked.replaceAll('\0', '').toWellFormed().trim())
  if (text === '')
    return say('I did not get any words to work with. Ask me something, or tell me what to add.')
  const talk = smallTalk(text)
  if (talk) return talk

  const commands = readCommands(text, today)
  if (commands.length > 0) return yield* draftAll(commands)
  const beyond = needsModel(text)
  if (beyond) return beyond
  const listing = readListing(text)
  const listed = listing ? yield* listThings(listing, today) : null
  if (listed) return listed
  const wanted = readOverview(text)
  if (wanted) return yield* overview(wanted, today)
  return yield* answerQuestion(text, today)
}
