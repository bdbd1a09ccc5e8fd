// The script of the page that asks for a passkey (public/frame/sign-in-pages.ts): it has the device answer, sends the
// answer, and goes on to where the sign-in was to lead.

import type { PasskeyRequestOptions } from '../../../lib/contract/auth.ts'
import { messageOf } from '../../app/api/api.ts'
import { outward } from '../../ui/address.ts'
import { finishSignIn } from './device.ts'

type Preloaded = { passkey: PasskeyRequestOptions; next: string }

const { passkey, next }: Preloaded = JSON.parse(document.querySelector('#preloaded')!.textContent!)
const problem = document.querySelector<HTMLElement>('#problem')!

document.querySelector('#passkey')!.addEventListener('submit', async (event) => {
  event.preventDefault()
  problem.hidden = true
  try {
    await finishSignIn(passkey)
    location.replace(outward(next))
  } catch (error) {
    problem.textContent = messageOf(error)
    problem.hidden = false
  }
})
