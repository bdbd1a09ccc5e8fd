import { homedir } from 'node:os'

/** The account's home; `null` for one that the system does not know, such as a number given to a container. */
export function findHome(): string | null {
  try {
    return homedir()
  } catch {
    return null
  }
}
