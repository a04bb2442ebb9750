"""What happens to a translation when the last words of a sentence move to its front?"""
