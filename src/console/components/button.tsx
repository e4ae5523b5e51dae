import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icons.tsx';

export interface ButtonProps {
  primary?: boolean;
  danger?: boolean;
  /** True for a button without a border, for table rows and menus. */
  quiet?: boolean;
  small?: boolean;
  icon?: IconName;
  /** Name for screen readers, if the text does not say what the button belongs to. */
  label?: string | undefined;
  disabled?: boolean;
  expanded?: boolean;
  controls?: string;
  /** Called on a click. Without it, the button submits its form. */
  onClick?: () => unknown;
  children?: ComponentChildren;
}

/** Button with an icon, a text or both. `label` is its accessible name; a button without text also shows it as tooltip. */
export function Button({
  icon,
  label,
  disabled,
  expanded,
  controls,
  onClick,
  children,
  ...look
}: ButtonProps) {
  const isIconOnly = children === undefined;
  const classes = Object.entries(look).flatMap(([name, isSet]) => (isSet ? [name] : []));
  return (
    <button
      type={onClick ? 'button' : 'submit'}
      class={['button', ...classes, ...(isIconOnly ? ['icon'] : [])].join(' ')}
      disabled={disabled}
      aria-label={label}
      aria-expanded={expanded}
      aria-controls={controls}
      title={isIconOnly ? label : undefined}
      onClick={onClick && (() => void onClick())}
    >
      {icon ? <Icon name={icon} /> : null}
      {children}
    </button>
  );
}

export const RefreshButton = ({ onClick }: Required<Pick<ButtonProps, 'onClick'>>) => (
  <Button small icon="reload" onClick={onClick}>
    Refresh
  </Button>
);
