// What stands among claims and states nothing: it is neither checked nor counted.

import { plainWordsOf } from '../../../core/text/words/words.ts'

/** Whether a text is a heading, a label, a lead-in, a question, or says that nothing was found. */
export const isNoClaim = (text: string): boolean => {
  const line = text.trim()
  if (/^#{1,6}\s|[:：]["”)*_]*$|[?？؟]["”)*_]*$/.test(line)) return true
  return isLabel(line) || isRefusal(line)
}

/** Words that no sentence ends, without a number or a verb to see: "Key findings". */
const isLabel = (line: string): boolean =>
  plainWordsOf(line).length <= 3 &&
  !/[.!。]$/.test(line) &&
  !/\p{N}/u.test(line) &&
  !/[\u3040-\u30ff\u3400-\u9fff]/.test(line)

/** That nothing was found or can be said, in the languages of research. */
export const isRefusal = (text: string): boolean =>
  refusals.test(text.slice(0, maxRefusal).toLowerCase().replaceAll('’', "'"))

const maxRefusal = 300

const refusals = new RegExp(
  [
    "i (?:can(?:no|')?t|could not|couldn't|do not|don't|am unable|found nothing|found no|am sorry)\\b",
    '(?:the|these|none of the|no) (?:given |provided )?(?:passages?|sources?|documents?|notes?|texts?)(?: \\w+)? (?:do|does|did) not (?:say|state|mention|contain|answer|give)',
    '(?:none of the|no) (?:passages?|sources?|documents?|notes?|texts?) (?:says?|states?|mentions?|contains?|answers?|gives?)',
    'there (?:is|was|are) no (?:information|evidence|mention|passage|answer)',
    'no (?:information|evidence|answer|relevant passages?) (?:was|is|were|are) (?:found|available|given)',
    'nothing (?:was|is|could be) found',
    '(?:ich|es|dazu) (?:habe|wurde|ist|lässt sich|kann)\\b[^.]{0,60}(?:nichts|nicht|keine)\\b[^.]{0,40}(?:gefunden|finden|beantworten|sagen)',
    '(?:die|keine der) (?:passagen?|quellen?|texte|notizen) (?:sagen|nennen|enthalten|enthält|nennt)\\b[^.]{0,40}(?:nichts|nicht|keine|dazu)',
    "je (?:n'ai rien trouvé|ne peux pas|ne trouve)|les (?:passages|sources|textes) ne (?:disent|mentionnent|contiennent)|aucune information",
    'no (?:he encontrado|encontré|puedo)|los (?:pasajes|textos|fuentes) no (?:dicen|mencionan|contienen)|no hay información',
    'non (?:ho trovato|posso)|i (?:passaggi|testi) non (?:dicono|menzionano)|nessuna informazione',
    'não (?:encontrei|posso|há informação)|as (?:passagens|fontes) não (?:dizem|mencionam)',
    'ik (?:heb niets|kan niet|vond niets)|de (?:passages|bronnen) (?:zeggen|vermelden) (?:niets|niet)|geen informatie',
    'jag (?:hittade inget|kan inte)|inget (?:hittades|finns)|jeg (?:fandt intet|kan ikke)|intet (?:fundet|blev fundet)',
    'nie (?:znalazłem|znalazłam|mogę)|brak informacji|(?:я )?(?:ничего не наш|не могу|не удалось)|нет информации',
    'bulunamadı|bilgi yok|没有找到|未找到|没有(?:相关)?信息|見つかりません|情報はありません',
  ]
    .map((one) => `^[^\\p{L}]{0,10}(?:${one})`)
    .join('|'),
  'u',
)
