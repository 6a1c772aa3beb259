import { addPictures } from '#contract/media.ts';
import { decidePicture } from '#contract/moderation/picture-queue.ts';
import type { TestMember } from '../../factories.ts';
import type { TestApp } from '../../harness.ts';
import { draw, sendFile } from '../../pictures.ts';

/** The secrets of a picture. */
interface Known {
  /** The id that its owner knows. */
  handle: string;
  key: string;
  placeholder: string;
}

/** A member's additional pictures, one per state, with the reasons given. */
export interface CanaryPictures {
  approved: Known;
  pending: Known;
  rejected: Known;
  unclaimed: Known;
  fileName: string;
  reason: string;
  /** What an external check returned for the pending one. */
  label: string;
}

/** Uploads four pictures of `owner`: one is approved by `staff`, one rejected, one pending and one unused. */
export async function makeCanaryPictures(
  test: TestApp,
  owner: TestMember,
  staff: TestMember,
  names: { fileName: string; reason: string },
): Promise<CanaryPictures> {
  const uploadOne = async () => {
    const sent = await sendFile(test, owner, { bytes: await draw(), name: `${names.fileName}.jpg` });
    const { publicId, placeholder, url } = sent.body.data;
    return { handle: publicId, placeholder, key: /media\/([\w-]+)\.large/.exec(url)?.[1] ?? '' };
  };
  const [approved, rejected] = [await uploadOne(), await uploadOne()];
  const [pending, unclaimed] = [await uploadOne(), await uploadOne()];
  const imagesData = [approved, rejected, pending].map(({ handle }) => ({ publicId: handle }));
  await test.call(addPictures, { token: owner.token, body: { imagesData } });
  const decide = (publicId: string, verdict: 'approved' | 'rejected') =>
    test.call(decidePicture, { token: staff.token, params: { publicId }, body: { verdict, reason: names.reason } });
  await decide(approved.handle, 'approved');
  await decide(rejected.handle, 'rejected');
  const label = `label ${names.reason}`;
  await test.db
    .updateTable('picture')
    .set({ external_labels: [label] })
    .where('public_id', '=', pending.handle)
    .execute();
  return { approved, pending, rejected, unclaimed, label, ...names };
}

const allOf = ({ handle, key, placeholder }: Known) => [handle, key, placeholder];

/** Hidden even from staff: file names, unused uploads, URLs of deleted pictures. */
export const hiddenFromStaff = ({ fileName, unclaimed, rejected }: CanaryPictures): string[] => [
  fileName,
  ...allOf(unclaimed),
  rejected.key,
];

/** For the owner and staff only: handles, reasons of rejection, and pictures that were not approved. */
export const hiddenFromMembers = (pictures: CanaryPictures): string[] => [
  ...hiddenFromStaff(pictures),
  pictures.reason,
  pictures.label,
  pictures.approved.handle,
  ...allOf(pictures.pending),
  ...allOf(pictures.rejected),
];
