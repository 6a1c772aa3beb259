import { addPictures, decidePicture } from '#contract/media/media.ts';
import type { TestMember } from '../../factories.ts';
import type { TestApp } from '../../harness.ts';
import { draw, sendFile } from '../../pictures.ts';

/** What is known of a picture. */
interface Known {
  /** Its owner's name for it in calls. */
  handle: string;
  key: string;
  placeholder: string;
}

/** A member's further pictures, one in each state, and the words that came with them. */
export interface CanaryPictures {
  approved: Known;
  pending: Known;
  rejected: Known;
  unclaimed: Known;
  fileName: string;
  reason: string;
}

/** Uploads four pictures of `owner`, which `staff` look at: one is approved, one rejected, one waits and one stands nowhere. */
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
  return { approved, pending, rejected, unclaimed, ...names };
}

const allOf = ({ handle, key, placeholder }: Known) => [handle, key, placeholder];

/** What is not even for staff: the file's name, an upload that stands nowhere, the address of what is on no screen any more. */
export const hiddenFromStaff = ({ fileName, unclaimed, rejected }: CanaryPictures): string[] => [
  fileName,
  ...allOf(unclaimed),
  rejected.key,
];

/** What is for its owner and staff alone: the handles, what was said of a refused one, and all of what nobody approved. */
export const hiddenFromMembers = (pictures: CanaryPictures): string[] => [
  ...hiddenFromStaff(pictures),
  pictures.reason,
  pictures.approved.handle,
  ...allOf(pictures.pending),
  ...allOf(pictures.rejected),
];
