// focus.js: the focus of the keyboard. The attribute autofocus serves a page that is loaded: for elements that appear later the
// browser ignores it as soon as another element has the focus.

/** @param {HTMLElement | null} element a `ref`, called once, when the element appears */
export const takeFocus = (element) => element?.focus();
