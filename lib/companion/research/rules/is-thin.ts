// Whether a question says too little for its depth to be searched for: then the plan asks one back.

import type { ResearchDepth } from '../../../contract/research.ts'
import { contentStems } from '../../../core/text/words/content-words.ts'

/** Words that say something: a deep run takes more than a name. */
const minContent: Readonly<Record<ResearchDepth, number>> = { quick: 1, standard: 1, deep: 2 }

/** Words that stand for what nobody has named, or for anything. */
const vague = new Set(
  `it this that these those they them he she everything anything something things thing stuff topic situation issue problem matter
  das dies diese alles etwas sache thema ca cela tout chose esto eso todo cosa questo quello tutto isso tudo coisa dit dat
  research tell know more information info details overview summary help find look update`.split(/\s+/),
)

export const isThin = (question: string, depth: ResearchDepth): boolean =>
  contentStems(question, vague).size < minContent[depth]
