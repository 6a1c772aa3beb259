import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { type ChangeEvent, useRef } from 'react';
import { brandPicturePath, uploadBrandPicture } from '#contract/service/service.ts';
import { useCommand } from '../../../api/endpoint-query.ts';
import { reasonOf } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { ErrorText, HintText } from '../../../ui/form/Field.tsx';
import classes from './service.module.css';

interface BrandPictureFieldProps {
  kind: 'logo' | 'icon';
  label: string;
  hint: string;
  picture: string | null;
  error: string | undefined;
  onChange: (picture: string | null) => void;
}

/** A picture of the brand, which is uploaded at once and used from the next save on. */
export function BrandPictureField({ kind, label, hint, picture, error, onChange }: BrandPictureFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const upload = useCommand(uploadBrandPicture, (file: File) => ({ params: { kind }, file }));
  const problem = upload.error === null ? error : reasonOf(upload.error);

  function send({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const [file] = currentTarget.files ?? [];
    if (file !== undefined) upload.mutate(file, { onSuccess: ({ picture: made }) => onChange(made) });
    currentTarget.value = '';
  }

  return (
    <Stack component="fieldset" gap="0.4rem" m={0} p={0} bd={0}>
      <Text component="legend" mb="0.25rem" p={0} fw={500}>
        {label}
      </Text>
      <Group gap="0.75rem">
        {picture !== null && <img className={classes.picture} src={brandPicturePath(picture)} alt={label} />}
        <input
          ref={input}
          type="file"
          hidden
          accept="image/svg+xml,image/png"
          aria-label={t`File for: ${label}`}
          onChange={send}
        />
        <BusyButton
          variant="default"
          size="sm"
          isBusy={upload.isPending}
          busyText={t`Uploading...`}
          onClick={() => input.current?.click()}
        >
          {picture === null ? t`Choose a file` : t`Replace`}
        </BusyButton>
        {picture !== null && (
          <Button variant="subtle" size="sm" onClick={() => onChange(null)}>
            {t`Remove`}
          </Button>
        )}
      </Group>
      {problem !== undefined && <ErrorText>{problem}</ErrorText>}
      <HintText>{hint}</HintText>
    </Stack>
  );
}
