import { showDialog } from '../components/dialog.ts'
import { el } from '../dom.ts'

/**
 * Asks for the owner's token where the work is, so that nothing typed is lost; once, however many calls have failed.
 * Signed in, the page stays as it is; the link leads to the sign-in page and back here.
 */
export function showSignIn(): void {
  if (document.querySelector('.dialog-session')) return
  const dialog = showDialog(
    { title: 'Sign in again', name: 'session' },
    signInForm(() => dialog.close()),
  )
}

function signInForm(onSignedIn: () => void): HTMLFormElement {
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  const token = el('input', {
    class: 'field',
    id: 'session-token',
    type: 'password',
    required: true,
    autocomplete: 'current-password',
  })
  const next = encodeURIComponent(location.pathname + location.search + location.hash)

  return el(
    'form',
    { class: 'stack', onsubmit: submit },
    el('p', {}, 'You are signed out. What you typed is kept on this device.'),
    el('label', { class: 'field-label', for: 'session-token' }, 'The owner’s token'),
    token,
    problem,
    el(
      'div',
      { class: 'row' },
      el('button', { class: 'button button-primary', type: 'submit' }, 'Sign in'),
      el('a', { class: 'button', href: `/sign-in?next=${next}` }, 'Go to the sign-in page'),
    ),
  )

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const response = await fetch('/api/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: token.value.trim() }),
    }).catch(() => null)
    if (response?.ok) return onSignedIn()
    problem.hidden = false
    problem.textContent = response
      ? 'That is not the owner’s token.'
      : 'The server cannot be reached. Try again in a moment.'
  }
}
