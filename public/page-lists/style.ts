// The styles of lists of pages and tags. They come with their view, as a sheet that script makes: the page's policy allows
// no other that is not its own file, and the first style sheet is for what every view needs.

const css = `
@layer components {
  .list-tools {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--s2);
    margin-block: var(--s3);
  }
  .list-views {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s2);
    margin-block-start: var(--s3);
    & a { padding: 3px 10px; text-decoration: none; &:hover { background: var(--pressed); } }
    & a[aria-current] { background: var(--violet-soft); color: var(--violet); }
  }
  .list-crumbs { display: flex; align-items: center; gap: var(--s3); }
  .filter-chip { max-inline-size: 100%; & > span { overflow: hidden; text-overflow: ellipsis; } }
  .filter-chip > .icon { inline-size: 11px; block-size: 11px; flex: none; }
  .list-unsupported {
    margin-block-end: var(--s3);
    padding: var(--s2) var(--s3);
    border-radius: var(--radius, 8px);
    background: var(--amber-soft);
    font-size: var(--text-small);
    & p { display: flex; align-items: center; gap: var(--s2); color: var(--amber); }
    & ul { margin-block-start: var(--s1); padding-inline-start: var(--s5); list-style: disc; }
    & code { overflow-wrap: anywhere; }
  }
  #list-count { margin-block-end: var(--s2); }
  .list-scroll { position: relative; overflow-x: auto; scrollbar-width: thin; }
  .list-table {
    inline-size: 100%;
    border-collapse: collapse;
    font-size: 14px;
    font-variant-numeric: tabular-nums;
    & :is(th, td) {
      max-inline-size: 360px;
      padding: 6px var(--s3) 6px 0;
      border-block-end: 1px solid var(--line);
      text-align: start;
      vertical-align: top;
      overflow-wrap: break-word;
    }
    & tbody th { min-inline-size: 160px; font-weight: 550; }
    & :is(time, .cell-number) { white-space: nowrap; }
    & th a { color: var(--ink); text-decoration: none; &:hover { text-decoration: underline; } }
    & thead button {
      display: inline-flex;
      align-items: center;
      gap: 4px;
      min-block-size: 28px;
      color: var(--dim);
      font-size: var(--text-small);
      font-weight: 550;
      white-space: nowrap;
      &:hover { color: var(--ink); }
      & .icon { inline-size: 12px; block-size: 12px; }
    }
    & td > .icon { color: var(--green); }
    & .badge { margin-inline-end: 4px; text-decoration: none; }
  }
  .list-cards {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(220px, 1fr));
    gap: var(--s3);
    padding: 0;
    list-style: none;
  }
  .list-card {
    padding: var(--s3) var(--s4);
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--raised);
    & dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px var(--s3); margin: var(--s2) 0 0; }
    & dt { color: var(--dim); font-size: var(--text-small); }
    & dd { margin: 0; font-size: var(--text-small); overflow-wrap: anywhere; }
    & .badge { margin-inline-end: 4px; text-decoration: none; }
  }
  .list-card-title { color: var(--ink); font-weight: 600; text-decoration: none; &:hover { text-decoration: underline; } }
  .tag-level { padding-inline-start: var(--s5); list-style: none; &.tag-top { padding: 0; margin-block-start: var(--s4); } }
  .tag-row {
    display: flex;
    align-items: center;
    gap: var(--s3);
    min-block-size: 32px;
    padding: 2px var(--s2);
    border-radius: 6px;
    color: var(--ink);
    text-decoration: none;
    &:hover { background: var(--hover); }
  }
  .tag-name { overflow: hidden; text-overflow: ellipsis; }
  .tag-count { color: var(--dim); font-size: var(--text-small); font-variant-numeric: tabular-nums; }
  .column-choices { display: grid; gap: 2px; max-block-size: 50vh; margin: 0; padding: 0; border: 0; overflow-y: auto; }
  .column-choice { display: flex; align-items: center; gap: var(--s2); min-block-size: 32px; overflow-wrap: anywhere; }
  .page-modes { margin-inline-start: 0; }
  @media (pointer: coarse) {
    .list-views a, .tag-row, .column-choice, .list-card-title { min-block-size: 44px; }
    .list-views a, .list-card-title { display: inline-flex; align-items: center; }
    .list-table thead button, .list-table th a { min-block-size: 44px; display: inline-flex; align-items: center; }
    .list-table td a, .list-card dd a { display: inline-flex; align-items: center; min-block-size: 44px; }
  }
}`

let sheet: CSSStyleSheet | null = null

/** Puts the styles into the document, once. */
export function adoptStyle(): void {
  if (sheet) return
  sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}
