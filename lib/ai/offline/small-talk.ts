import { connectAModel } from './questions/connect.ts'
import { type Reply, say } from './reply.ts'

const abilities = `I can

- **answer questions** by searching this Space and quoting what I find: “What does the guide say about approvals?”
- **draft changes** for you to approve: “Create a task to call the landlord tomorrow”, “Add a page called Recipes with: Soups first”, “Mark Call the landlord as done”, “Rename Recipes to Cookbook”, “Delete the task Call the landlord”
- **show what you have open**: “What is this page about?”`

const gate =
  'I cannot change anything myself. Each wish for a change becomes a draft that waits for your approval.'

const decide =
  'I cannot approve or reject anything: only you can, on the card of the draft, here or in the Inbox. Nothing changes until then.'

const replies: [RegExp, () => Reply][] = [
  [
    /^(hi|hello|hey|hallo|bonjour|salut|moin|good (morning|afternoon|evening|day))( (there|void|companion))?$/,
    hello,
  ],
  [/^(help|hilfe|aide|\?|help me|how does this work|what now|commands|examples)$/, help],
  [/^(what|wat) (can|could|do) (you|u|i) (do|ask|say|say here|ask you|do here)( here| for me)?$/, help],
  [
    /^(how (do|can|should) i (start|begin|get started|use (this|it|void|you))|where (do|should) i (start|begin)|what should i do( first| now| here)?|getting started)$/,
    help,
  ],
  [
    /^(can|could|will|do) you (create|add|delete|change|rename|edit|write|search|read|answer|help)( (things|something|anything|stuff|pages?|tasks?|notes?|my notes|questions|me))?$/,
    help,
  ],
  [/^(how can you help( me)?|was kannst du( tun| alles)?|que peux tu faire|que sais tu faire)$/, help],
  [
    /^(who|what) are you( and what (can|do) you do)?$|^wer bist du$|^qui es tu$|^are you (an? )?(ai|bot|llm|model|human|real)( model)?$/,
    whoAmI,
  ],
  [
    /^(thanks?|thank you|thx|ty|danke|merci|great|perfect|nice|cool|ok|okay|good|got it)( (a lot|you|so much|very much|sehr))*$/,
    thanks,
  ],
  [
    /^(yes|y|yep|sure|do it|go ahead|approve|approved|approve (it|that|this|all|them)|accept( it)?|apply( it)?|confirm)$/,
    approve,
  ],
  [
    /^(no|nope|reject|reject (it|that|this|all|them)|discard( it)?|undo( it| that)?|never mind|cancel( it| that)?)$/,
    approve,
  ],
  [
    /^(dont|don t|do not|never|please dont|please don t) (delete|remove|change|rename|move|create|add|touch|do)\b.*$/,
    leaveIt,
  ],
  [/^(bye|goodbye|good night|see you|tschuss|ciao|au revoir)$/, () => say('Until next time.')],
]

/** The reply to a greeting, thanks and the like; `null` for anything that is about something. */
export function smallTalk(asked: string): Reply | null {
  if (asked.length > 80) return null
  const plain = asked
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^\p{L}\p{N}?]+/gu, ' ')
    .trim()
    .replace(/(.)\?+$/, '$1')
  return replies.find(([pattern]) => pattern.test(plain))?.[1]() ?? null
}

/** "Hi! What is a ref?" is about the ref. */
export const withoutGreeting = (asked: string): string =>
  asked.replace(/^(?:hi|hello|hey|hallo|bonjour)(?: there| void| companion)?[!,.:]+\s+(?=\S)/i, '')

function hello(): Reply {
  return say(
    'Hello. I am the companion of this Space, working offline: by rules, without a language model.',
    abilities,
    gate,
  )
}

function help(): Reply {
  return say(abilities, gate, connectAModel)
}

function whoAmI(): Reply {
  return say(
    'I am the companion of this Space, without a language model at the moment. I work by rules: I search, quote word for word and draft simple changes.',
    gate,
    connectAModel,
  )
}

function thanks(): Reply {
  return say('You are welcome.')
}

function leaveIt(): Reply {
  return say('Then I draft nothing. Without your approval nothing changes anyway.')
}

function approve(): Reply {
  return say(decide)
}
