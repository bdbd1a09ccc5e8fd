import { Resolver } from 'node:dns/promises'
import { createOutgoingFetch, resolveByDns } from '../../sources/sign-in/outgoing-fetch.ts'
import type { DiscoveryNetwork } from './discover-server.ts'

export const internet: DiscoveryNetwork = {
  resolveSrv: (name) => new Resolver({ timeout: 3000, tries: 1 }).resolveSrv(name),
  resolve: resolveByDns,
  fetch: createOutgoingFetch(null),
}
