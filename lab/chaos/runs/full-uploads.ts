import { join } from 'node:path';
import { uploadPicture } from '#contract/media.ts';
import { apiBasePath } from '#contract/constants.ts';
import { draw, formOf } from '../../../server/test/pictures.ts';
import { administratorToken, createProduct, makeAdministrator, type Product } from '../product.ts';
import { figure, notRun, type Figure, type Proof, type Stage } from '../proof.ts';
import { mountSmallDisk } from '../small-disk.ts';

const promise = '43 A full disk is survived (uploads)';
const tries = 12;

/** Fills the disk that stores pictures during uploads. */
export const fullUploads: Proof = {
  name: 'full-uploads',
  about: 'no space left for pictures, during uploads',
  async run({ folder, say }: Stage) {
    const place = join(folder, 'pictures');
    const product = await createProduct(folder, { MEDIA_DIR: place });
    const disk = await mountSmallDisk(place, { megabytes: 24, mode: '0755', like: folder });
    if (disk === null)
      return [notRun(promise, 'needs a small disk to fill: run this as root, where tmpfs can be mounted')];
    try {
      await product.start();
      await makeAdministrator(product);
      const upload = uploaderOf(product, await administratorToken(product));
      const first = await upload();
      disk.fill();
      const full: Answer[] = [];
      for (let n = 0; n < tries; n += 1) full.push(await upload());
      const old = (await fetch(product.origin + (first.url ?? ''))).status;
      disk.empty();
      const after = await upload();
      say(`full: ${full.map(({ status }) => status).join(', ')}; the old picture ${old}; afterwards ${after.status}`);
      return figures(first, full, old, after);
    } finally {
      try {
        await product.clear();
      } finally {
        await disk.remove();
      }
    }
  },
};

interface Answer {
  status: number;
  url?: string;
}

function uploaderOf(product: Product, token: string): () => Promise<Answer> {
  return async () => {
    const { payload, headers } = await formOf({ bytes: await draw({ width: 900, height: 1200 }) });
    const response = await fetch(`${product.origin}${apiBasePath}${uploadPicture.path}`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${token}` },
      body: new Uint8Array(payload),
    });
    const body = (await response.json()) as { data?: { url: string } };
    return { status: response.status, ...(body.data === undefined ? {} : { url: body.data.url }) };
  };
}

function figures(first: Answer, full: readonly Answer[], old: number, after: Answer): Figure[] {
  return [
    figure(
      promise,
      `${full.filter(({ status }) => status === 503).length} of ${full.length} uploads refused with 503 while full`,
      first.status === 201 && full.every(({ status }) => status === 503),
    ),
    figure('43 Old pictures are still shown (uploads)', `answered ${old}`, old === 200),
    figure('43 It recovers without a restart (uploads)', `answered ${after.status}`, after.status === 201),
  ];
}
