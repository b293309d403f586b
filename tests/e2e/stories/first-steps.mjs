export const firstSteps = {
  name: 'first-steps',
  title: 'somebody who knows no rules plays the first steps, and goes on with the problems of the program',
  options: { firstStart: true },
  async tell(place) {
    const screen = await place.open()
    const asks = (pattern) => screen.waitForText(pattern, { selector: '[data-test=problem-text]' })
    const solved = () => screen.waitForText(/^Solved!$/, { selector: '[data-test=problem-verdict]' })
    await screen.find('[data-test=welcome]', '', { timeoutMs: 90_000 })
    await screen.click('[data-action=welcome-learn]')

    // A stone, then the last liberty of another one; a move elsewhere loses nothing.
    await asks(/Play on any point/)
    await screen.clickPoint(2, 2)
    await solved()
    await screen.waitForText(/That was a move/, { selector: '[data-test=problem-comment]' })
    await screen.press('Enter')
    await asks(/its liberties/)
    await screen.clickPoint(0, 0)
    await screen.waitForText(/asks for a move other than A5/, { selector: '[data-test=problem-verdict]' })
    await screen.clickPoint(2, 3)
    await solved()
    await screen.waitForStone(2, 2, '.')
    await place.moment('first-steps')

    // The themes come next, and where one was left is kept.
    await screen.press('Escape')
    await screen.waitForText(/First steps: the rules[^]*2 solved, 2 tried/, { selector: '[data-test=problems-shipped]' })
    await place.moment('problem-themes')
    await screen.click('[data-theme=capture] [data-action=solve-collection]')
    await asks(/Take stones/)
    await screen.waitForText(/^1 of 12$/, { selector: '[data-test=problem-place]' })
    await screen.press('Escape')
    await screen.press('Escape')
    await screen.gone('[data-test=problem-room]')
  },
}
