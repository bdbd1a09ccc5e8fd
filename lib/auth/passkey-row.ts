import type { Passkey } from '../contract/auth.ts'
import type { PasskeyRow } from '../db/repos/owner_sessions.ts'

const transportNames = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

type Transport = (typeof transportNames)[number]

/** What is told of a passkey. */
export const toPasskey = ({ id, name, host, created_at, last_used_at }: PasskeyRow): Passkey => ({
  id,
  name,
  host,
  created_at,
  last_used_at,
})

/** How a browser finds the device that has a passkey. */
export const descriptorOf = ({ credential_id, transports }: PasskeyRow) => ({
  id: credential_id,
  transports: transports.filter((name): name is Transport => transportNames.some((known) => known === name)),
})
