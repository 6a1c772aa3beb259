import { type ReactNode, useRef } from 'react';

/** A hidden file field for photos, from the device or from the camera, and the function that opens it. */
export function usePhotoInput(
  label: string,
  onChoose: (files: File[]) => void,
  isCamera = false,
): [input: ReactNode, open: () => void] {
  const field = useRef<HTMLInputElement>(null);
  const input = (
    <input
      ref={field}
      type="file"
      accept="image/*"
      hidden
      tabIndex={-1}
      aria-label={label}
      {...(isCamera ? { capture: 'environment' } : { multiple: true })}
      onChange={({ currentTarget }) => {
        if (currentTarget.files !== null && currentTarget.files.length > 0) onChoose([...currentTarget.files]);
        // The same photo can be chosen again.
        currentTarget.value = '';
      }}
    />
  );
  return [input, () => field.current?.click()];
}
