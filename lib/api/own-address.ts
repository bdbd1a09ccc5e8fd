import type { Request } from 'express'

/** The address that a person knows this server by: the configured one, else the one that the request came to. */
export const ownAddress = (req: Request, publicUrl: string | null): string =>
  publicUrl ?? `${req.protocol}://${req.headers.host}`

/** Where the owner's browser comes back to from signing in to a source. */
export const sourceCallbackPath = '/sources/callback'
