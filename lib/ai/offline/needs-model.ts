import { connectAModel } from './questions/connect.ts'
import { type Reply, say } from './reply.ts'

const creative =
  /^(?:please |can you |could you |would you |will you )*(?:write|compose|translate|rewrite|rephrase|paraphrase|improve|proofread|correct the spelling|brainstorm|generate|invent|draft|shorten|polish|tell me a joke|übersetze?|schreibe?|traduis|écris)\b(?! (?:is|are|does|did))/i

/** For a wish that only a language model could fulfil: says so. `null` for anything else. */
export function needsModel(text: string): Reply | null {
  if (!creative.test(text.slice(0, 200))) return null
  return say(
    'That needs a language model, and I am offline: I can search, quote word for word and draft simple changes.',
    connectAModel,
  )
}
