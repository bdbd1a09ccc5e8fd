/** What came of asking the model for one word. */
export type ModelTest = {
  ok: boolean
  /** `ok`, `no_key`, `key_unreadable`, or the code of the model error. */
  code: string
  message: string
  advice: string | null
  model: string
  duration_ms: number
}
