// The authorization server of each site. It is loaded when it is first asked for something: it takes time and memory that
// a Void without connected programs can spare.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Interaction, Provider } from 'oidc-provider'
import type { Logger } from '../../../core/logger.ts'
import type { Network } from '../../../core/net/safe-fetch.ts'
import type { Site } from '../metadata.ts'
import type { StoreDeps } from './adapter.ts'

/** One request to the server, on its way. */
export type Exchange = { site: Site; req: IncomingMessage; res: ServerResponse }

type RenderError = (message: string) => Promise<string>

/** A request to connect that waits for the owner. */
export type OpenRequest = { provider: Provider; interaction: Interaction }

export type Providers = {
  serve(exchange: Exchange, renderError: RenderError): Promise<void>
  /** What the browser was sent here to be asked; null when that is over. */
  findOpen(exchange: Exchange): Promise<OpenRequest | null>
}

export type ProvidersDeps = StoreDeps & { logger: Logger; network?: Partial<Network> | undefined }

/** Without a public address there is one for each name of the loopback, at one port or a few. */
const maxSites = 8

export function createProviders(deps: ProvidersDeps): Providers {
  const providers = new Map<string, Promise<Provider>>()
  const errorPages = new WeakMap<IncomingMessage, RenderError>()
  const renderError = async (req: IncomingMessage, message: string) =>
    (await errorPages.get(req)?.(message)) ?? message

  return {
    async serve({ site, req, res }, renderError) {
      const { pinOrigin } = await import('./provider.ts')
      const provider = await providerOf(site)
      errorPages.set(req, renderError)
      pinOrigin(req, site)
      await provider.callback()(req, res)
    },

    async findOpen({ site, req, res }) {
      const { isOver } = await import('./provider.ts')
      const provider = await providerOf(site)
      try {
        return { provider, interaction: await provider.interactionDetails(req, res) }
      } catch (error) {
        if (isOver(error)) return null
        throw error
      }
    },
  }

  async function providerOf(site: Site): Promise<Provider> {
    const known = providers.get(site.issuer)
    if (known) return await known
    const made = import('./provider.ts').then(({ createProvider }) =>
      createProvider(site, { ...deps, renderError }),
    )
    if (providers.size >= maxSites) providers.delete([...providers.keys()][0]!)
    providers.set(site.issuer, made)
    return await made
  }
}
