// White space stands at one place after each part, so that a run of it can be read in one way only.
const answerMark = /^\s*(?:(?:re|fwd?|aw|wg|sv|vs|tr|rv|antw|odp)\s*(?:\[\d+\]\s*)?:\s*)+/i

/** Whether a subject begins with `Re:` or its like in a few languages. */
export const isAnswer = (subject: string): boolean => answerMark.test(subject)

/** The subject without `Re:` and its like in a few languages, for comparison. */
export const plainSubject = (subject: string): string =>
  subject.replace(answerMark, '').replace(/\s+/g, ' ').trim().toLowerCase()
