/**
 * The oldest browsers for which the app is built, as `vite` names them. README.md, docs/web.md, the FAQs and the note for
 * older ones in the documents name them, too.
 */
export const oldestBrowsers = ['safari16.4', 'firefox121', 'chrome120', 'edge120'];
