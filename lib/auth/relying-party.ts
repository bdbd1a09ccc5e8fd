import { isIP } from 'node:net'
import { AppError } from '../core/errors.ts'

/** For whom a passkey is made: it works at this host name alone. */
export type RelyingParty = { id: string; origin: string }

/** The relying party of an address; a 409 `AppError` for one that Web Authentication does not take. */
export function relyingPartyOf(address: string): RelyingParty {
  const { origin, hostname, protocol } = URL.canParse(address) ? new URL(address) : noAddress
  if (hostname === '' || hostname.startsWith('[') || isIP(hostname) !== 0) {
    throw unavailable(
      'Passkeys need a host name, not an IP address. Open Void at localhost, or set PUBLIC_URL.',
    )
  }
  if (protocol !== 'https:' && hostname !== 'localhost') {
    throw unavailable(
      'Passkeys need HTTPS. Behind a proxy with TLS, set PUBLIC_URL to the address that you open.',
    )
  }
  return { id: hostname, origin }
}

const noAddress = { origin: '', hostname: '', protocol: '' }

export const unavailable = (message: string) => new AppError('passkey_unavailable', 409, message)
