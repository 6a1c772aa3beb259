import { useEffect } from 'react';
import { thumbnailWidth } from '#contract/constants.ts';
import type { Picture } from '#contract/media/picture.ts';
import { galleryWidth } from '../../../ui/data/PictureGallery.tsx';

/** Fetches the picture that will be looked at next, in the size it will be drawn in. */
export function usePictureAhead(picture: Picture | undefined): void {
  useEffect(() => {
    if (picture === undefined) return;
    const image = new Image();
    image.sizes = galleryWidth;
    image.srcset = `${picture.thumbnailUrl} ${thumbnailWidth}w, ${picture.url} ${picture.width}w`;
  }, [picture]);
}
