import { maxSubQuestions, type ResearchPlan } from '../../../contract/research.ts'
import { cleanLine } from '../../../core/text/clean.ts'

const maxQuestion = 4000
const maxPart = 500

/** A plan without a model: the parts that the question itself is made of. */
export function planByRules(question: string): ResearchPlan {
  const whole = question.slice(0, maxQuestion).toWellFormed()
  const parts = whole
    .split(
      /[?!;\n]+|\.\s|,?\s(?:and|und)\s(?=(?:how|what|when|where|which|who|why|was|wer|wie|wann|wo|warum)\b)/i,
    )
    .map((part) => cleanLine(part).slice(0, maxPart).toWellFormed())
    .filter((part) => /[\p{L}\p{N}]{2}/u.test(part))
  const sub_questions = [...new Set(parts)].slice(0, maxSubQuestions)
  return {
    question: whole,
    sub_questions: sub_questions.length > 0 ? sub_questions : [cleanLine(whole).slice(0, maxPart)],
    criteria: [],
    ambiguities: [],
    suggested_depth: null,
  }
}
