/** Runs at most once in a while, and after the last call. A failure waits for the next event. */
export function gathered(run: () => Promise<void>, ms = 150): () => void {
  let waiting = false
  return () => {
    if (waiting) return
    waiting = true
    setTimeout(() => {
      waiting = false
      run().catch(() => {})
    }, ms)
  }
}
