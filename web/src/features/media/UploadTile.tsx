import { Button, Loader } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import { useText } from '../../ui/text/text.ts';
import classes from './PictureTile.module.css';
import type { Upload } from './use-uploads.ts';

interface UploadTileProps {
  upload: Upload;
  onRetry: () => void;
  onDrop: () => void;
}

/** A picture on its way, or why it did not get there. */
export function UploadTile({ upload: { file, preview, error, mayRetry }, onRetry, onDrop }: UploadTileProps) {
  const t = useText();
  return (
    <li className={classes.tile}>
      <div className={classes.picture} data-waiting>
        {preview === null ? (
          <IconPhotoOff className={classes.nothing} size={32} stroke={1.5} aria-hidden="true" />
        ) : (
          <img className={classes.preview} src={preview} alt="" width={400} height={500} />
        )}
      </div>
      {error === null ? (
        <p role="status" className={classes.sending}>
          <Loader size="xs" aria-hidden="true" />
          {t('Sending...')}
        </p>
      ) : (
        <>
          <div role="alert" className={classes.problem}>
            <bdi className={classes.file}>{file.name}</bdi>
            <p>{t(error)}</p>
          </div>
          <div className={classes.choices}>
            {mayRetry && (
              <Button size="xs" variant="default" onClick={onRetry}>
                {t('Retry')}
              </Button>
            )}
            <Button
              size="xs"
              variant="default"
              aria-label={t('Leave out {name}', { name: file.name })}
              onClick={onDrop}
            >
              {t('Leave out')}
            </Button>
          </div>
        </>
      )}
    </li>
  );
}
