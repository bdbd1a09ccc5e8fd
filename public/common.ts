// What main.ts stands on: bundled as one chunk, because lib/web/assets.ts makes every other chunk import it. Cut apart
// by who shares what with whom, the same code would take a tenth more bytes and many more requests.

import './addresses.ts'
import './api.ts'
import './components/toasts.ts'
import './dom.ts'
import './frame/draw-frame.ts'
import './frame/enter-space.ts'
import './frame/follow-live.ts'
import './frame/keep-prefs.ts'
import './frame/sheets.ts'
import './keys.ts'
import './live.ts'
import './recent.ts'
import './router.ts'
import './state.ts'
