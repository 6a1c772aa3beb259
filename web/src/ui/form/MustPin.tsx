import { t } from '@lingui/core/macro';
import { IconPin, IconPinFilled } from '@tabler/icons-react';
import classes from './form.module.css';

interface MustPinProps {
  name: string;
  /** The preference, for screen readers. */
  of: string;
  isMust: boolean;
  /** There is nothing to require yet. */
  isDisabled?: boolean;
  onChange: (isMust: boolean) => void;
}

/** Makes a preference a must. */
export function MustPin({ name, of, isMust, isDisabled = false, onChange }: MustPinProps) {
  const Icon = isMust && !isDisabled ? IconPinFilled : IconPin;
  return (
    <label className={classes.chip}>
      <input
        type="checkbox"
        name={name}
        className="visually-hidden"
        aria-label={t`${{ preference: of }}: a must`}
        disabled={isDisabled}
        checked={isMust && !isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <Icon size={16} stroke={1.75} aria-hidden="true" />
      {t`A must`}
    </label>
  );
}
