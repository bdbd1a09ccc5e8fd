/** Answers that are kept: about a few MB of them. */
const maxRemembered = 20_000

/** A function of a word that is worked out once for each of so many words: most words of a text come again. */
export function remember<Answer>(ask: (word: string) => Answer): (word: string) => Answer {
  const answers = new Map<string, Answer>()
  return (word) => {
    const known = answers.get(word)
    if (known !== undefined) return known
    const answer = ask(word)
    if (answers.size === maxRemembered) answers.clear()
    answers.set(word, answer)
    return answer
  }
}

/** A function that works its answer out when it is first asked. */
export function once<Answer>(make: () => Answer): () => Answer {
  let made: { answer: Answer } | undefined
  return () => {
    made ??= { answer: make() }
    return made.answer
  }
}
