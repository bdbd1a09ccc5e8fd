export const connectAModel =
  'I am the offline companion: I work by rules and only quote. To connect a language model, set `ANTHROPIC_API_KEY` in ' +
  'the file `.env` or in the environment (or `ANTHROPIC_BASE_URL` for a local server such as Ollama) and restart Void.'
