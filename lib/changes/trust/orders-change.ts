// Whether a text that others wrote orders the very change that was then drafted. Whether it gives orders to a model at all
// is for lib/core/text/orders to say.

import type { ChangeAction } from '../../contract/changes/decision.ts'
import { plainWords } from '../../core/text/orders/plain-words.ts'

export type DraftedChange = {
  action: ChangeAction
  /** What the kind is called: page, task. */
  label: string
  /** Of what would change; empty for what is new. */
  title: string
}

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

/** Whether the text tells somebody to make such a change to such a thing, where the owner (`said`) asked for none. */
export function ordersChange(text: string, { action, label, title }: DraftedChange, said: string): boolean {
  const verb = verbs[action]
  if (!verb || plainWords(said).match(verb)) return false
  const name = plainWords(title)
  return [...plainWords(text).matchAll(verb)].some(
    ([, object = '']) => synonyms[label]?.test(object) || (name.length > 3 && object.includes(name)),
  )
}
