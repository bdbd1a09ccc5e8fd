// The commonest German and French commands, put into the English that the readers know.

const kinds: Record<string, string> = {
  aufgabe: 'task',
  tache: 'task',
  seite: 'page',
  notiz: 'page',
  page: 'page',
  note: 'page',
  projekt: 'project',
  projet: 'project',
}
const kindIn = '(aufgabe|seite|notiz|projekt|tâche|tache|page|note|projet)'

const patterns: [RegExp, (groups: string[]) => string][] = [
  [
    new RegExp(
      `^(?:erstelle?|lege?|neue[srn]?|füge?)(?: mir)?(?: bitte)?(?: eine?n?| noch eine)?(?: neue[sn]?)? ?${kindIn} ?(?:an|hinzu)?:? ?(?:namens |mit (?:dem )?(?:titel|namen) )?(.*)$`,
      'i',
    ),
    ([kind, rest]) => `create a ${toKind(kind)}: ${rest}`,
  ],
  [
    new RegExp(
      `^(?:crée[rz]?|cree[rz]?|ajoute[rz]?)(?: moi)?(?: une?)?(?: nouvelle| nouveau)? ${kindIn} ?:? ?(?:pour |appelée? |intitulée? )?(.*)$`,
      'i',
    ),
    ([kind, rest]) => `create a ${toKind(kind)}: ${rest}`,
  ],
  [
    /^erinnere? mich (?:bitte )?(?:(heute|morgen|übermorgen) )?(?:daran,? |an )(.*)$/i,
    ([day, rest]) => `remind me to ${rest} ${day ?? ''}`,
  ],
  [/^rappelle[- ]moi (?:de |d['’])(.*)$/i, ([rest]) => `remind me to ${rest}`],
  [
    new RegExp(`^(?:lösche?|entferne?) (?:bitte )?(?:die |das |den )?(?:${kindIn} )?(.*)$`, 'i'),
    ([kind, rest]) => `delete ${toKind(kind)} ${rest}`,
  ],
  [
    new RegExp(`^supprime[rz]? (?:la |le |les )?(?:${kindIn} )?(.*)$`, 'i'),
    ([kind, rest]) => `delete ${toKind(kind)} ${rest}`,
  ],
  [
    /^(?:markiere?|setze?) (?:die )?(?:aufgabe )?(.*?) (?:als|auf) (?:erledigt|fertig)$/i,
    ([rest]) => `mark ${rest} as done`,
  ],
  [/^marque[rz]? (?:la )?(?:tâche )?(.*?) comme (?:faite?|terminée?)$/i, ([rest]) => `mark ${rest} as done`],
  [
    /^benenne? (?:die |das )?(?:seite |aufgabe |projekt )?(.*?) (?:in|zu) (.*?)(?: um)?$/i,
    ([from, to]) => `rename ${from} to ${to}`,
  ],
]

const days: Record<string, string> = {
  heute: 'today',
  morgen: 'tomorrow',
  übermorgen: 'the day after tomorrow',
  "aujourd'hui": 'today',
  'aujourd’hui': 'today',
  demain: 'tomorrow',
  'après-demain': 'the day after tomorrow',
}

/** The command in English, or the text as it is. */
export function toEnglish(head: string): string {
  if (head.length > 2000) return head
  for (const [pattern, translate] of patterns) {
    const match = pattern.exec(head)
    if (match) return withDay(translate(match.slice(1)).replace(/\s+/g, ' ').trim())
  }
  return head
}

function toKind(word = ''): string {
  return kinds[word.toLowerCase().replace('â', 'a')] ?? ''
}

function withDay(text: string): string {
  const last = text.slice(text.lastIndexOf(' ') + 1)
  const day = days[last.toLowerCase()]
  return day ? `${text.slice(0, -last.length)}${day}` : text
}
