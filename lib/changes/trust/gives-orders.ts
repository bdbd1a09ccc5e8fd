// Whether a text that others wrote gives orders to whoever reads it for the owner: to a model, or about the very change
// that was then drafted. Rules over the words alone, in the languages that are common; what they miss is still text from
// outside. Each gap in a pattern is bounded, so that a long text costs its length.

import type { ChangeAction } from '../../contract/changes/change-status.ts'

export type DraftedChange = {
  action: ChangeAction
  /** What the kind is called: page, task. */
  label: string
  /** Of what would change; empty for what is new. */
  title: string
}

const agents =
  '(?:ai(?: assistants?| agents?| systems?| models?)?|a\\.i\\.|language models?|llms?|chat ?bots?|chatgpt|claude|gemini|copilot|(?:the |your |this )companion|virtual assistants?|ki(?:-assistent\\w*|-agent\\w*)?|sprachmodelle?|assistente? virtuale?|mod[eè]le de langage|modelo de lenguaje)'
const people = "(?:the |your |its )?(?:user|owner|human|operator|reader)(?:'s)?"
const earlier =
  "(?:all|any|every|previous|prior|above|earlier|preceding|your|former|system|safety|these|those|owner's|user's)"

const patterns: readonly RegExp[] = [
  // What came before is to be forgotten.
  new RegExp(
    `\\b(?:ignore|disregard|forget|override|bypass|discard|set aside|drop)\\b[^.\\n]{0,25}\\b${earlier}\\b[^.\\n]{0,30}\\b(?:instructions?|prompts?|rules?|guidelines?|directions|messages?|question|request|restrictions)\\b`,
  ),
  /\b(?:ignore|disregard|forget) (?:what (?:you were|the (?:owner|user))|everything (?:above|before|you|that))/,
  /\b(?:ignorier\w*|vergiss|vergessen sie|missachte\w*)\b[^.\n]{0,40}\b(?:anweisung\w*|anordnung\w*|regeln?|vorgaben|prompt)\b/,
  /\b(?:ignor\w+|oubli\w+|olvid\w+|dimentic\w+|esque\w+|negeer|vergeet)\b[^.\n]{0,40}(?:\b(?:instrucciones|instructions (?:précédentes|antérieures)|consignes|reglas|istruzioni|regras|instructies)|instruções|règles)/,
  /(?:忽略|无视|無視|忘记)[^。\n]{0,16}(?:指令|指示|说明|規則|规则|提示)|(?:指令|指示|規則)[^。\n]{0,8}(?:忽略|無視|忘れ)/,
  /(?:игнорируй|забудь)[^.\n]{0,40}(?:инструкц|указани|правил)/,
  // Who reads is to be somebody else, or has a new task.
  /\byou are now (?:in |an? |the |called )?[^.\n]{0,30}\b(?:ai|assistant|mode|agent|bot|dan|model|unrestricted|without rules|character|root|admin\w*)\b/,
  /\byou are no longer (?:an? assistant|bound|restricted|limited)\b|\bpretend (?:that )?(?:you are|to be|this is an?)\b/,
  /\bfrom now on,? (?:you )?(?:only |always |must |will )*(?:answer|obey|reply|respond|act|follow|end every|address)\b/,
  /\b(?:new|updated|real|actual|true|hidden|secret) (?:task|instructions?|orders|directive|prompt)\s*(?::|is\b|are\b|follow)/,
  /\b(?:system prompt|developer mode|jailbreak|prompt injection|god mode|admin(?:istrator)? override)\b/,
  // A model is spoken to or of.
  new RegExp(`\\b(?:if|since|as|because) you(?:'re| are) (?:an? |the )?${agents}(?![\\w-])`),
  new RegExp(
    `\\b(?:instructions?|note|message|attention|reminder|notice|orders?|memo|request|hinweis|anweisung|nachricht) (?:for|to|an|für) (?:any |all |the |your |every |an? |die |den |das )?${agents}(?![\\w-])`,
  ),
  new RegExp(
    `(?<![\\w-])${agents}(?: reading [^.\\n]{0,20}| that reads? [^.\\n]{0,20})?,? (?:must|should|shall|has to|have to|needs? to|is to|are to|will now|please|muss|soll|sollen|doit|debe)\\b`,
  ),
  new RegExp(
    `(?:^|\\n|[.!?:] )\\W{0,6}(?:(?:hey|dear|hello|attention|achtung|ok),? )?(?:${agents}\\s?[,:!]|(?:assistant|companion|assistent|asistente),)`,
  ),
  /\b(?:assistant|companion|agent|model) (?:reading|processing|summari[sz]ing|handling) this\b/,
  // Something is to be kept from the owner.
  new RegExp(
    `\\b(?:do not|don't|never|must not|without|no need to)\\b[^.\\n]{0,20}\\b(?:tell|inform|mention|notify|alert|ask|reveal|show|warn)\\w*\\b[^.\\n]{0,20}(?:\\b${people}\\b|\\bthis (?:line|note|message|instruction|text)\\b)`,
  ),
  /\b(?:sag|sage|sagen|erwähne|verrate|informiere)\b[^.\n]{0,30}\b(?:nicht|nichts)\b|\bohne (?:den|die) (?:benutzer|nutzer|besitzer|eigentümer)/,
  // The owner's consent is claimed.
  /\b(?:the )?(?:owner|user) (?:has |have )?(?:already |previously )?(?:approved|authori[sz]ed|agreed to|consented to|asked you|wants you|instructed you|wants it)\b/,
  // Shapes of prompts and of calls of tools.
  /\[\/?inst\]|<\|[a-z_]{2,30}\|>|<\/?(?:system|assistant|instructions?|function_calls?|tool_(?:use|call|result)s?|antml)\b|"(?:tool_use|tool_calls?|function_call)"|(?:^|\n)(?:#{1,4} ?(?:system|assistant)|system (?:message|prompt|note|override))\b/,
  /\b(?:[a-z]{2,20}_[a-z_]{2,40}|search|read|open|highlight|context|list)\s?\(\s?\{/,
  // Letters that no reader sees, in which a whole text can be written.
  /[\u{E0020}-\u{E007E}]{4}/u,
  // Secrets are to be sent.
  /(?<!never |not |n't )\b(?:send|forward|e-?mail|upload|transmit|leak|print|reveal|append|paste)\b[^.\n]{0,60}\b(?:passwords?|api keys?|access tokens?|your token|secrets|credentials|private keys?|(?:entire|whole) conversation|all (?:of )?(?:the |your |my )?(?:notes|messages|pages) to)\b/,
]

const verbs: Partial<Record<ChangeAction, RegExp>> = {
  update: orderOf(
    'update|change|rename|edit|mark|set|replace|rewrite|append|overwrite|move|correct|amend|complete|close|ändere|aktualisiere|ersetze|setze|markiere|modifie|remplace|cambia|marca',
  ),
  delete: orderOf(
    'delete|remove|erase|trash|wipe|purge|discard|destroy|empty|lösche|entferne|supprime|efface|elimina|borra',
  ),
}

/** Where a sentence tells somebody to do so, and what it goes on with. */
function orderOf(words: string): RegExp {
  return new RegExp(
    `(?:^|[\\n.!?:;,>(“"] ?|\\b(?:please|bitte|must|should|then|and|to|por favor) )(?:${words})\\b([^\\n]{0,80})`,
    'g',
  )
}

const synonyms: Record<string, RegExp> = {
  page: /\b(?:pages?|notes?|entry|seiten?|notiz|página|nota)\b/,
  task: /\b(?:tasks?|to-?dos?|aufgaben?|tâches?|tareas?)\b/,
  project: /\b(?:projects?|projekte?|projets?|proyectos?)\b/,
}

/** Whether the text gives orders. One that is about the very change counts where the owner asked for no such thing. */
export function givesOrders(text: string, { action, label, title }: DraftedChange, said: string): boolean {
  const plain = toPlain(text)
  if (patterns.some((pattern) => pattern.test(plain))) return true
  const verb = verbs[action]
  if (!verb || toPlain(said).match(verb)) return false
  const name = toPlain(title)
  return [...plain.matchAll(verb)].some(
    ([, object = '']) => synonyms[label]?.test(object) || (name.length > 3 && object.includes(name)),
  )
}

/** Lower-case, compatible letters, without what is not seen and without marks between the letters of a word. */
const toPlain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]/g, '')
    .replace(/[’‘]/g, "'")
    .replace(
      /[*`]{1,3}(?=\p{L})|(?<=\p{L})[*`]{1,3}|(?<![\p{L}\p{N}_])_{1,2}(?=\p{L})|(?<=\p{L})_{1,2}(?![\p{L}\p{N}_])/gu,
      '',
    )
    .replace(/[ \t]+/g, ' ')
    .toLowerCase()
