// Which network an IP address is of.

import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * Whether an IP address is one of the public internet: none of this machine, its networks, their metadata services, or
 * reserved (https://www.iana.org/assignments/iana-ipv4-special-registry, -ipv6-special-registry).
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !reserved.check(address, 'ipv4')
  // Addresses with a zone are of one link only; those that embed an IPv4 address lie outside of 2000::/3 or are listed.
  if (!isIPv6(address) || address.includes('%')) return false
  return global.check(address, 'ipv6') && !reserved.check(address, 'ipv6')
}

const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

const reserved = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  reserved.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  reserved.addSubnet(network, prefix, 'ipv6')

/** Networks that are none of the internet and may hold what the owner runs. */
export type OwnNetwork = 'loopback' | 'private'

/** The network that all of some addresses are in; `null`: none of these. */
export const ownNetworkOf = (addresses: readonly string[]): OwnNetwork | null =>
  (['loopback', 'private'] as const).find((name) => addresses.every((each) => isOfNetwork(each, name))) ??
  null

export const isOfNetwork = (address: string, name: OwnNetwork): boolean =>
  networks[name].check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

const networks: Record<OwnNetwork, BlockList> = { loopback: new BlockList(), private: new BlockList() }
networks.loopback.addSubnet('127.0.0.0', 8, 'ipv4')
networks.loopback.addAddress('::1', 'ipv6')
networks.private.addSubnet('10.0.0.0', 8, 'ipv4')
networks.private.addSubnet('172.16.0.0', 12, 'ipv4')
networks.private.addSubnet('192.168.0.0', 16, 'ipv4')
networks.private.addSubnet('fc00::', 7, 'ipv6')

/** Whether a host name, as `URL` writes it, is this machine. */
export const isLoopback = (hostname: string): boolean => /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
