import { plural, t } from '@lingui/core/macro';
import '@mantine/core/styles/Progress.layer.css';
import { Progress } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { UnsentPhoto } from './unsent-files.ts';
import classes from './photos.module.css';
import { widthOf } from './PhotoGrid.tsx';
import { readFile } from './unsent-files.ts';

/** An address for a file that is kept on this device; null until it was read, or if it is gone. */
function useFileUrl(name: string): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    let made: string | null = null;
    let isWanted = true;
    readFile(name)
      .then((file) => {
        if (file === null || !isWanted) return;
        made = URL.createObjectURL(file);
        setUrl(made);
      })
      .catch(() => undefined);
    return () => {
      isWanted = false;
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [name]);
  return url;
}

function UnsentTile({ photo: { name, width, height }, alt }: { photo: UnsentPhoto; alt: string }) {
  const url = useFileUrl(name);
  return (
    <span className={classes.tile} style={{ aspectRatio: `${width} / ${height}` }}>
      {url !== null && <img className={classes.fill} src={url} alt={alt} />}
    </span>
  );
}

/** The photos of a message that was not sent yet, and how many of them were uploaded. */
export function UnsentPhotos({ photos, isSending }: { photos: readonly UnsentPhoto[]; isSending: boolean }) {
  const uploaded = photos.filter(({ id }) => id !== undefined).length;
  const [first] = photos;
  const width = first && photos.length === 1 ? widthOf(first) : undefined;
  return (
    <div className={classes.grid} data-count={photos.length} style={{ width }}>
      {photos.map((photo, index) => (
        <UnsentTile
          key={photo.name}
          photo={photo}
          alt={t`Your photo ${{ number: index + 1 }} of ${{ total: photos.length }}`}
        />
      ))}
      {isSending && (
        <Progress
          className={classes.progress ?? ''}
          size="sm"
          animated
          value={(100 * (uploaded + 0.5)) / (photos.length + 1)}
          aria-label={t`${{ count: uploaded }} of ${plural({ total: photos.length }, { one: '# photo', other: '# photos' })} uploaded`}
        />
      )}
    </div>
  );
}
