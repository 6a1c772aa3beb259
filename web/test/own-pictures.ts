import { addPictures, deletePicture, orderPictures, setProfilePicture, uploadPicture } from '#contract/media.ts';
import type { OwnPicture } from '#contract/picture.ts';
import { Refusal, serve } from './fake-server.ts';
import { ownPicture, picture, pictureId } from './pictures.ts';

const isStanding = ({ state }: OwnPicture) => state !== 'rejected';

/** Answers the calls of one's own pictures from where `read` has them, and keeps them by `keep`. Uploads are named by their file. */
export function serveOwnPictures(read: () => OwnPicture[], keep: (pictures: OwnPicture[]) => void): void {
  const change = (next: OwnPicture[]) => {
    keep(next);
    return read();
  };
  const claimed = (publicId: string, isProfilePicture: boolean) =>
    ownPicture(publicId, { publicId, state: 'pending', isProfilePicture });

  serve(uploadPicture, ({ body }) => ({ data: { ...picture('new'), publicId: pictureId(wordOf(body.name)) } }));
  serve(setProfilePicture, ({ body }) => {
    const { publicId } = 'imageData' in body ? body.imageData : body;
    const others = read().filter(({ isProfilePicture }) => !isProfilePicture);
    return { data: { profilePicture: null, pictures: change([claimed(publicId, true), ...others]) } };
  });
  serve(addPictures, ({ body }) => {
    const given = 'imagesData' in body ? body.imagesData : body;
    const uploadedImages = given.map(({ publicId }) => claimed(publicId, false));
    const refused = read().filter((known) => !isStanding(known));
    return {
      data: { uploadedImages, pictures: change([...read().filter(isStanding), ...uploadedImages, ...refused]) },
    };
  });
  serve(deletePicture, ({ params }) => {
    const others = read().filter(({ publicId }) => publicId !== params.publicId);
    if (others.length === read().length) throw new Refusal('NOT_FOUND', 'Not found');
    return { data: { pictures: change(others) } };
  });
  serve(orderPictures, ({ body: { publicIds } }) => {
    const standing = read().filter(isStanding);
    if (publicIds.length !== standing.length) throw new Refusal('CONFLICT', 'Your pictures have changed meanwhile.');
    const ordered = publicIds.map((id, index) => {
      const known = standing.find(({ publicId }) => publicId === id);
      if (!known) throw new Refusal('CONFLICT', 'Your pictures have changed meanwhile.');
      return { ...known, isProfilePicture: index === 0 };
    });
    return { data: { pictures: change([...ordered, ...read().filter((known) => !isStanding(known))]) } };
  });
}

const wordOf = (fileName: string) => fileName.replace(/\.\w+$/, '');
