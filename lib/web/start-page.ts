import type { SpaceRow } from '../db/repos/spaces.ts'
import { type Html, html } from './html.ts'

export type StartFacts = {
  spaces: (SpaceRow & { counts: Record<string, number> })[]
  pending: number
  model: { mode: 'online' | 'offline'; name: string }
  version: string
}

/** What the owner sees after signing in: the Spaces, what waits, and how to talk to the companion. */
export function startPage({ spaces, pending, model, version }: StartFacts): Html {
  return layout(
    'Void',
    html`<header class="bar">
        <h1>Void</h1>
        <p class="dim">${version} · ${model.mode === 'offline' ? 'offline companion' : model.name}</p>
        <form method="post" action="/sign-out"><button>Sign out</button></form>
      </header>
      <main>
        <p class="notice">
          ${pending === 0 ? 'No draft waits for you.' : `${pending} ${pending === 1 ? 'draft waits' : 'drafts wait'} for your decision.`}
        </p>
        <h2>Spaces</h2>
        <ul class="spaces">${spaces.map(spaceItem)}</ul>
        ${spaces.length === 0 ? html`<p class="dim">There is no Space yet.</p>` : html``}
        <h2>Talk to the companion</h2>
        <p>The owner’s token is in the file <code>owner-token</code> of the data folder, unless OWNER_TOKEN sets it.</p>
        <pre><code>curl -N -H "Authorization: Bearer $OWNER_TOKEN" -H "Content-Type: application/json" \\
  -d '{"text":"What can you do?"}' \\
  http://HOST/api/spaces/${spaces[0]?.id ?? 'SPACE_ID'}/companion/turn</code></pre>
        <p><a href="/api/openapi.json">The API as OpenAPI</a> · <a href="/health">Health</a></p>
      </main>`,
  )
}

function spaceItem({ name, slug, description, counts }: StartFacts['spaces'][number]): Html {
  const holds = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([type, count]) => `${count} ${type.replace('_', ' ')}${count === 1 ? '' : 's'}`)
  return html`<li>
    <strong>${name}</strong> <code>${slug}</code>
    ${description ? html`<p>${description}</p>` : html``}
    <p class="dim">${holds.join(' · ') || 'empty'}</p>
  </li>`
}

/** The form for a browser without a session. `problem` says why the last attempt failed. */
export function signInPage(problem: string | null): Html {
  return layout(
    'Sign in to Void',
    html`<main class="narrow">
      <h1>Void</h1>
      <form method="post" action="/sign-in">
        <label for="token">The owner’s token</label>
        <input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
        ${problem ? html`<p class="problem" role="alert">${problem}</p>` : html``}
        <button>Sign in</button>
      </form>
      <p class="dim">Void prints a link that signs you in when it starts. The token itself is in the file
        <code>owner-token</code> of its data folder.</p>
    </main>`,
  )
}

function layout(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>${title}</title>
        <link rel="stylesheet" href="/assets/start.css">
      </head>
      <body>${content}</body>
    </html>`
}
