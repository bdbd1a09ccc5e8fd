// Text that speaks to a program and not to a person. It is no proof against an attacker: what it misses meets gates that
// don’t read. What it finds is never spoken of.

import { splitHidden } from '../../text/hidden-characters.ts'

/** Characters of a message that are looked at, from its beginning and from its end. */
const maxText = 20_000

const program =
  '(?:a\\.?i\\.?|ai (?:assistant|agent|model|system)|(?:virtual |digital |e-?mail )?assistants?|companion|language models?|llms?|chat ?bots?|copilot|gpt|claude|automated (?:systems?|readers?|agents?)|void|ki|ki-assistent|assistent(?:en)?)'

const orders: readonly RegExp[] = [
  /(?<![\p{L}])(?:ignore|disregard|forget|override|bypass|ignoriere|vergiss|ignorez?|ignora)(?![\p{L}])[^.!?\n]{0,60}(?<![\p{L}])(?:instructions?|rules?|prompts?|guidelines|directions|orders|gates?|safeguards|anweisungen|regeln|consignes|instrucciones)(?![\p{L}])/iu,
  new RegExp(
    `(?:^|[\\n.!?:;,(\\[<*#-])\\s{0,5}(?:(?:dear|hi|hello|hey|attention|note (?:to|for)|notice (?:to|for)|message (?:to|for)|instructions? (?:to|for)|for|to|an) (?:the |any |every |all |your |my |die |den )?)?${program}(?:\\s{0,3}[,:!\\])>-]|\\s(?:reading|processing|must|should|shall|please|that|which|who|, ))`,
    'imu',
  ),
  /(?<![\p{L}])(?:system (?:prompt|message|override|instructions?|notice|note)|developer (?:mode|message)|end of (?:e-?mail|message|context)|new instructions|you are (?:now )?(?:an? |the )?(?:ai|assistant|companion|agent|language model|helpful)|as an? (?:ai|assistant|language model)|if you are an? (?:ai|assistant|language model|bot|program)|jailbreak)(?![\p{L}])/iu,
  /(?<![\p{L}])(?:finalize_glance\w*|propose_change|search_email|read_email_thread|tool[_ ]calls?|function[_ ]calls?|digin|action_?prompt|thread_id)(?![\p{L}])/iu,
  /(?<![\p{L}])(?:show|display|surface|raise|trigger|pop up|send|output|emit|write|generate|create)(?![\p{L}])[^.!?\n]{0,40}(?<![\p{L}])(?:nudges?|glances?|pending changes?|hint for the (?:owner|user))(?![\p{L}])/iu,
  /(?<![\p{L}])(?:tell|inform|alert|notify|remind|warn|urge|convince|instruct|say to|show|ask|sag(?:e)?)(?![\p{L}]) (?:the |your |this |dem |der )?(?:owner|user|human|reader|recipient|account holder|benutzer|besitzer)(?![\p{L}])/iu,
  /(?<![\p{L}])(?:on behalf of|for) the (?:owner|user)(?![\p{L}])[^.!?\n]{0,40}(?<![\p{L}])(?:draft|create|write|send|prepare|reply)(?![\p{L}])/iu,
  /(?<![\p{L}])(?:create|prepare|store|add|open|make|file)(?![\p{L}]) (?:an? |the )?(?:draft|pending change|task|page)(?![\p{L}])[^.!?\n]{0,60}(?<![\p{L}])(?:without (?:asking|approval|confirmation)|automatically|silently|immediately|in void|in the space|for the (?:owner|user))(?![\p{L}])/iu,
  // A call written out, and roles to be taken on.
  /(?<![\p{L}\p{N}_])[a-z]{2,30}(?:_[a-z]{1,30}){0,4}\(\s{0,5}\{|"(?:tool|name|function)"\s{0,5}:\s{0,5}"[\w-]{1,60}"\s{0,5},\s{0,5}"(?:input|arguments|parameters)"/u,
  /(?<![\p{L}])(?:(?:from now on|instead),? you (?:are|answer|reply|respond|act|say|only)|you are (?:now )?(?:dan|an? \p{L}{1,20} without (?:rules|limits|gates|restrictions))|act as (?:an? |the )?(?:ai|admin\w*|auditor|system|root|owner|developer)|pretend (?:that|to be|you)|simulate an?|role-?play|decode and|obey)(?![\p{L}])/iu,
  // Markup that would run, pictures that would be loaded, and codes: a person writes none of them in a mail.
  /<(?:script|iframe|object|embed)\b|<[a-z]{1,10}\s[^<>\n]{0,200}\bon[a-z]{3,20}\s{0,3}=|!\[[^\]\n]{0,100}\]\([^)\n]{0,300}\)/iu,
  /(?<![\p{L}\p{N}/=+.?&_%#-])[A-Za-z0-9+/]{40,}/u,
  /<\/?(?:system|assistant|user|instructions?|tool|function|important|prompt)\b[^>\n]{0,60}>|\[\/?(?:inst|system|assistant)\]|<\|[^|>\n]{1,40}\|>/iu,
]

/** Whether a text orders a program about, or holds characters in which orders are hidden. */
export function givesOrders(text: string): boolean {
  const read = text.length > 2 * maxText ? `${text.slice(0, maxText)}\n${text.slice(-maxText)}` : text
  if (/[\u{e0000}-\u{e007f}]/u.test(read)) return true
  const seen = splitHidden(read)
    .map((piece) => (typeof piece === 'string' ? piece : ''))
    .join('')
    .normalize('NFKC')
    .replaceAll('’', "'")
  return orders.some((order) => order.test(seen))
}
