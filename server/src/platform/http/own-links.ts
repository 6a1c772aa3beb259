import { msg } from '@lingui/core/runtime-macro';
import { plain } from '#contract/readable.ts';
import { supportAddress } from '../service/brand.ts';
import { hasLink } from '../links.ts';
import { invalid } from './app-error.ts';

/** The length of the overlapping pieces in which a text is read. */
const pieceLength = 200;

interface Own {
  publicUrl: string;
  supportEmail: string;
}

/** Whether a word is a web address of this service or its address for support. */
function isOwn(word: string, { publicUrl, ...own }: Own): boolean {
  const address = word.replace(/[.:]$/, '');
  if (address.toLowerCase() === supportAddress(own).toLowerCase()) return true;
  const url = URL.parse(/^https?:\/\//i.test(address) ? address : `https://${address}`);
  // People could copy an address within an address.
  return url?.host === new URL(publicUrl).host && url.username === '' && address.split('://').length <= 2;
}

/**
 * 400 for a text to members with a link to another site, plain or disguised: members trust what the team writes, and a wrong link could
 * reach many of them. `field` is the position of the text in the request.
 */
export function requireOwnLinks(field: string, text: string, own: Own): void {
  const others = text.replaceAll(/[^\s()<>[\]"'!?,;]+/g, (word) => (isOwn(word, own) ? '' : word));
  // A character can become eighteen, and `plain` reads only the first thousands.
  for (let from = 0; from < others.length; from += pieceLength / 2)
    if (hasLink(plain(others.slice(from, from + pieceLength))))
      throw invalid(field, msg`This can't have links or addresses of other sites`);
}
