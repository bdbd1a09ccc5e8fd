import { ResearchDepth } from '../../../contract/research.ts'

const command = /^\s{0,100}\/research(?:\s{1,100}(quick|standard|deep))?\s/i

/** `/research [quick|standard|deep] question`: the depth and the question; `null` for any other message. */
export function readCommand(text: string): { depth: ResearchDepth; question: string } | null {
  const begin = command.exec(text)
  const question = begin ? text.slice(begin[0].length).trim() : ''
  if (!begin || question === '') return null
  return { depth: ResearchDepth.catch('standard').parse(begin[1]?.toLowerCase()), question }
}
