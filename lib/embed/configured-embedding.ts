import type { EmbeddingSettings } from './embedder.ts'
import { createEmbedding, type Embedding, type EmbeddingDeps } from './embedding.ts'
import { createHttpEmbedder } from './http-embedder.ts'

type ConfiguredDeps = Omit<EmbeddingDeps, 'embedder' | 'embedderOf'> & {
  settings: EmbeddingSettings
  /** The key as it is now. */
  readKey: () => string | null
}

/** A model configured before can be asked where it is at the same provider, with the same key. */
export const createConfiguredEmbedding = ({ settings, readKey, ...deps }: ConfiguredDeps): Embedding =>
  createEmbedding({
    ...deps,
    embedder: createHttpEmbedder({ ...settings, readKey }),
    embedderOf: ({ provider, url, model }) =>
      provider === settings.provider && url === settings.url
        ? createHttpEmbedder({ ...settings, model, readKey })
        : null,
  })
